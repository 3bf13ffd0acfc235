@echo off
rem Start the Python of LM Lab, whatever Python the system has: lm-lab-python -m pip install PLUGIN.whl
"%~dp0python\python.exe" -I "%~dp0start.py" --python %*
