// The program `rgc`: where it is, and what to say if it is not there.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

const INSTALL = 'cargo install --path rgc --locked';

/**
 * The program, as the settings have it. A name without a folder is looked for on the path here: where a system looks in the current folder first, a game's
 * folder could have a program of that name.
 */
export function program(): string {
  const set = vscode.workspace.getConfiguration('rgc').get<string>('path', 'rgc').trim() || 'rgc';
  if (path.basename(set) !== set) {
    return set;
  }
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
  const places = folders.flatMap((folder) => endings.map((ending) => path.join(folder, set + ending)));
  return places.find((place) => existsSync(place)) ?? set;
}

/** Further arguments of the language server. */
export function arguments_(): string[] {
  return vscode.workspace.getConfiguration('rgc').get<string[]>('arguments', []);
}

/** Asks the program for its version; `missing` says why it does not tell. */
export function version(command: string): Promise<{ missing?: string }> {
  return new Promise((resolve) => {
    execFile(command, ['lsp', '--help'], { timeout: 10_000 }, (error) => {
      if (error === null) {
        resolve({});
      } else if (error.code === 'ENOENT') {
        resolve({ missing: 'there is no such program' });
      } else {
        resolve({ missing: error.message.split('\n')[0] ?? 'it does not start' });
      }
    });
  });
}

/** Says that the program cannot be started, and what to do. */
export async function explainMissing(command: string, why: string): Promise<void> {
  const settings = 'Open settings';
  const copy = 'Copy the command that installs it';
  const message =
    `rgc: cannot start \`${command}\`: ${why}. Install it (in a clone of the repository: \`${INSTALL}\`), ` +
    'or set `rgc.path` to where it is.';
  const chosen = await vscode.window.showErrorMessage(message, settings, copy);
  if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'rgc.path');
  } else if (chosen === copy) {
    await vscode.env.clipboard.writeText(INSTALL);
  }
}
