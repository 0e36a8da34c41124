// The game that a command is about.

import * as vscode from 'vscode';

/** The file of a game, saved: the one that a lens names by its address, else the one in the active editor. */
export async function gameFile(address: unknown): Promise<string | undefined> {
  const uri = typeof address === 'string' ? vscode.Uri.parse(address) : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) {
    await vscode.window.showErrorMessage('rgc: open a game first.');
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (uri.scheme !== 'file' || (document.isDirty && !(await document.save()))) {
    await vscode.window.showErrorMessage('rgc: save the game first; it is run from its file.');
    return undefined;
  }
  return uri.fsPath;
}
