; The installer of LM Lab for one user or for all, in a window or silently:
;   makensis -DVERSION=1.2.3 -DTREE=FOLDER -DKILOBYTES=N -DOUT=FILE.exe lm-lab.nsi
; An older version for the same users is replaced. Its Python goes once all files of the new one are there, and is put
; back if they cannot be copied; a first installation that fails leaves nothing. Runs, settings and plugins of users are elsewhere,
; and are never touched.

Unicode true
SetCompressor /SOLID lzma
AllowSkipFiles off ; or a silent installation would go on without a file
ManifestDPIAware true

!define NAME "LM Lab"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define TYPE "LMLab.Bundle"
!define MULTIUSER_EXECUTIONLEVEL Highest
!define MULTIUSER_MUI
!define MULTIUSER_INSTALLMODE_COMMANDLINE
!define MULTIUSER_INSTALLMODE_INSTDIR "${NAME}"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_KEY "${KEY}"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_VALUENAME "InstallLocation"
!define MULTIUSER_USE_PROGRAMFILES64
!define MUI_ICON "${TREE}\lm-lab.ico"
!define MUI_UNICON "${TREE}\lm-lab.ico"

!include LogicLib.nsh
!include MultiUser.nsh
!include MUI2.nsh
!include x64.nsh

Name "${NAME}"
OutFile "${OUT}"
BrandingText "${NAME} ${VERSION}"

!insertmacro MULTIUSER_PAGE_INSTALLMODE
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE German

LangString RUNNING ${LANG_ENGLISH} "LM Lab is running, or you may not write to its folder. Close it and try again."
LangString RUNNING ${LANG_GERMAN} "LM Lab läuft, oder Sie dürfen in seinen Ordner nicht schreiben. Bitte schließen und noch einmal versuchen."
LangString HOLDS_DATA ${LANG_ENGLISH} "This folder holds runs and settings of LM Lab. Choose another one for the program."
LangString HOLDS_DATA ${LANG_GERMAN} "Dieser Ordner enthält Läufe und Einstellungen von LM Lab. Bitte einen anderen für das Programm wählen."
LangString FOREIGN ${LANG_ENGLISH} "This folder holds another Python. Choose another folder for the program."
LangString FOREIGN ${LANG_GERMAN} "Dieser Ordner enthält ein anderes Python. Bitte einen anderen für das Programm wählen."
LangString NOT_64 ${LANG_ENGLISH} "LM Lab needs Windows with 64 bits."
LangString NOT_64 ${LANG_GERMAN} "LM Lab braucht Windows mit 64 Bit."
LangString BUNDLE ${LANG_ENGLISH} "Run of LM Lab"
LangString BUNDLE ${LANG_GERMAN} "Lauf von LM Lab"

Var Before ; where an older version is, or the same one
Var Copying ; 1 once files are copied

!macro Fail TEXT
  SetErrorLevel 2
  MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
  Abort
!macroend

; A folder may hold a Python that is not of the lab: it is never touched.
!macro CheckOwn FOLDER NAME
  ${If} ${FileExists} "${FOLDER}\${NAME}\*"
  ${AndIfNot} ${FileExists} "${FOLDER}\${NAME}\share\lm-lab\licences.txt"
    !insertmacro Fail "$(FOREIGN)"
  ${EndIf}
!macroend

; A folder with files that are in use keeps its name, so nothing has changed then.
!macro SetAside FOLDER
  !insertmacro CheckOwn "${FOLDER}" "python"
  !insertmacro CheckOwn "${FOLDER}" "python.old"
  ${If} ${FileExists} "${FOLDER}\python\*"
    RMDir /r "${FOLDER}\python.old"
    ClearErrors
    Rename "${FOLDER}\python" "${FOLDER}\python.old"
    ${If} ${Errors}
      !insertmacro Fail "$(RUNNING)"
    ${EndIf}
  ${EndIf}
!macroend

; Only what the installer put there goes, whatever folder it is.
!macro RemoveProgram FOLDER
  RMDir /r "${FOLDER}\python.old"
  Delete "${FOLDER}\lm-lab.cmd"
  Delete "${FOLDER}\lm-lab-python.cmd"
  Delete "${FOLDER}\start.py"
  Delete "${FOLDER}\lm-lab.ico"
  Delete "${FOLDER}\README.txt"
  Delete "${FOLDER}\SHA256SUMS"
  Delete "${FOLDER}\uninstall.exe"
  RMDir "${FOLDER}"
!macroend

!macro TellOfTypes ; SHCNE_ASSOCCHANGED
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
    !insertmacro Fail "$(NOT_64)"
  ${EndIf}
  SetRegView 64
  StrCpy $R9 $INSTDIR ; the folder of /D=
  !insertmacro MULTIUSER_INIT
  ${If} $R9 != ""
    StrCpy $INSTDIR $R9
  ${EndIf}
FunctionEnd

Section
  ${If} ${FileExists} "$INSTDIR\settings.json"
  ${OrIf} ${FileExists} "$INSTDIR\runs\*"
  ${OrIf} ${FileExists} "$INSTDIR\plugins\*"
  ${OrIf} ${FileExists} "$INSTDIR\downloads\*"
    !insertmacro Fail "$(HOLDS_DATA)"
  ${EndIf}
  ReadRegStr $Before SHCTX "${KEY}" "InstallLocation"
  !insertmacro SetAside "$INSTDIR"
  ${If} $Before != ""
  ${AndIf} $Before != $INSTDIR
    !insertmacro SetAside "$Before"
  ${EndIf}
  StrCpy $Copying 1
  SetOutPath "$INSTDIR"
  File /r "${TREE}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  RMDir /r "$INSTDIR\python.old"
  ${If} $Before != ""
  ${AndIf} $Before != $INSTDIR
    !insertmacro RemoveProgram "$Before"
  ${EndIf}

  CreateShortCut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\python\pythonw.exe" '-I "$INSTDIR\start.py"' "$INSTDIR\lm-lab.ico"
  WriteRegStr SHCTX "Software\Classes\.lmlab" "" "${TYPE}"
  WriteRegStr SHCTX "Software\Classes\${TYPE}" "" "$(BUNDLE)"
  WriteRegStr SHCTX "Software\Classes\${TYPE}\DefaultIcon" "" "$INSTDIR\lm-lab.ico"
  WriteRegStr SHCTX "Software\Classes\${TYPE}\shell\open\command" "" \
    '"$INSTDIR\python\pythonw.exe" -I "$INSTDIR\start.py" "%1"'
  !insertmacro TellOfTypes

  WriteRegStr SHCTX "${KEY}" "DisplayName" "${NAME}"
  WriteRegStr SHCTX "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr SHCTX "${KEY}" "DisplayIcon" "$INSTDIR\lm-lab.ico"
  WriteRegStr SHCTX "${KEY}" "Publisher" "The makers of LM Lab"
  WriteRegStr SHCTX "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr SHCTX "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode'
  WriteRegStr SHCTX "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode /S'
  WriteRegDWORD SHCTX "${KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD SHCTX "${KEY}" "NoModify" 1
  WriteRegDWORD SHCTX "${KEY}" "NoRepair" 1
SectionEnd

Function .onInstFailed
  SetOutPath "$TEMP" ; the folder it leaves can be removed
  ${If} $Copying == 1
    RMDir /r "$INSTDIR\python"
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\python.old\*"
    Rename "$INSTDIR\python.old" "$INSTDIR\python"
  ${ElseIf} $Copying == 1
    !insertmacro RemoveProgram "$INSTDIR"
  ${EndIf}
  ${If} $Before != ""
  ${AndIf} ${FileExists} "$Before\python.old\*"
    Rename "$Before\python.old" "$Before\python"
  ${EndIf}
FunctionEnd

Function un.onInit
  SetRegView 64
  !insertmacro MULTIUSER_UNINIT
FunctionEnd

Section Uninstall
  !insertmacro SetAside "$INSTDIR"
  !insertmacro RemoveProgram "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  ReadRegStr $0 SHCTX "Software\Classes\.lmlab" ""
  ${If} $0 == "${TYPE}"
    DeleteRegKey SHCTX "Software\Classes\.lmlab"
  ${EndIf}
  DeleteRegKey SHCTX "Software\Classes\${TYPE}"
  DeleteRegKey SHCTX "${KEY}"
  !insertmacro TellOfTypes
SectionEnd
