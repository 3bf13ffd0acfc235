@echo off
rem Start LM Lab from wherever this folder is. Without arguments it opens its window, and this terminal does not wait.
if "%~1"=="" (start "" "%~dp0python\pythonw.exe" -I "%~dp0start.py") else "%~dp0python\python.exe" -I "%~dp0start.py" %*
