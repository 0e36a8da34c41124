// Commands that run in a terminal.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { gameFile } from './game';
import { explainMissing, program, version } from './program';

/** A command that runs the program with these arguments. No shell reads them, so that names of files need no quotes. */
export function runs(with_: (file: string) => string[]): (address?: unknown) => Promise<void> {
  return async (address) => {
    const file = await gameFile(address);
    if (file === undefined) {
      return;
    }
    const command = program();
    const found = await version(command);
    if (found.missing !== undefined) {
      await explainMissing(command, found.missing);
      return;
    }
    const words = with_(file);
    const task = new vscode.Task(
      { type: 'process' },
      vscode.TaskScope.Workspace,
      `${words[0]} ${path.basename(file)}`,
      'rgc',
      new vscode.ProcessExecution(command, words, { cwd: path.dirname(file) }),
    );
    task.presentationOptions = { focus: words[0] === 'play', panel: vscode.TaskPanelKind.Dedicated };
    await vscode.tasks.executeTask(task);
  };
}
