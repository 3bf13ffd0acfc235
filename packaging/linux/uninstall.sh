#!/bin/sh
# Remove LM Lab, which install.sh installed here. Runs, settings and plugins stay.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/lm-lab-python" -I "$here/share/integration.py" uninstall
