#!/bin/sh
# Install LM Lab from this folder: ./install.sh for you alone, sudo ./install.sh --for-all for everyone.
here=$(dirname -- "$(readlink -f -- "$0")")
if ! [ -f "$here/share/integration.py" ] || ! [ -f "$here/SHA256SUMS" ] || ! "$here/lm-lab-python" -I -c ''; then
    echo "This folder is not complete: unpack the archive again, on a disk with space for it." >&2
    exit 1
fi
exec "$here/lm-lab-python" -I "$here/share/integration.py" install "$@"
