"""The window: places, docks, actions and dialogs on the workbench and the kit of widgets."""
