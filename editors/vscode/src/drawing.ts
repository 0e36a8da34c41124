// The automaton of a game as a picture, drawn anew whenever the game is saved.

import { execFile } from 'node:child_process';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { gameFile } from './game';
import { page } from './page';
import { program } from './program';

const LARGEST = 64 << 20;

/** Panels that are closed, perhaps while something is drawn for them. */
const closed = new WeakSet<vscode.WebviewPanel>();

/** The command that shows the picture. */
export function drawing(): (address?: unknown) => Promise<void> {
  const panels = new Map<string, vscode.WebviewPanel>();
  return async (address) => {
    const file = await gameFile(address);
    if (file === undefined) {
      return;
    }
    const shown = panels.get(file);
    if (shown !== undefined) {
      shown.reveal(undefined, true);
      await draw(shown, file);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const title = `Automaton of ${path.basename(file)}`;
    const panel = vscode.window.createWebviewPanel('rgc.automaton', title, column, {
      enableScripts: false,
      localResourceRoots: [],
    });
    panels.set(file, panel);
    const saved = vscode.workspace.onDidSaveTextDocument(async (document) => {
      if (document.uri.fsPath === file) {
        await draw(panel, file);
      }
    });
    panel.onDidDispose(() => {
      closed.add(panel);
      panels.delete(file);
      saved.dispose();
    });
    await draw(panel, file);
  };
}

function draw(panel: vscode.WebviewPanel, file: string): Promise<void> {
  return new Promise((resolve) => {
    const options = { maxBuffer: LARGEST, timeout: 60_000 };
    execFile(program(), ['graph', file, '--to', 'svg'], options, (error, stdout, stderr) => {
      if (closed.has(panel)) {
        return resolve();
      }
      panel.webview.html = error === null ? page({ picture: stdout }) : page({ wrong: stderr || error.message });
      resolve();
    });
  });
}
