// Starts `rgc lsp` for games in its languages, and has commands that run a game.

import { LanguageClient } from 'vscode-languageclient/node';
import * as vscode from 'vscode';
import { drawing } from './drawing';
import { runs } from './terminal';
import { arguments_, explainMissing, program, version } from './program';

const LANGUAGES = ['rg', 'hrg', 'rbg', 'sbg', 'gdl'];

let client: LanguageClient | undefined;

/** What is done with the server. One thing begins when the one before has ended, so that there is never more than one server. */
let work: Promise<void> = Promise.resolve();

function inTurn(action: () => Promise<void>): Promise<void> {
  work = work.then(action, action);
  return work;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('rgc.play', runs((file) => ['play', file])),
    vscode.commands.registerCommand('rgc.perft', runs((file) => ['perft', file, String(depth())])),
    vscode.commands.registerCommand('rgc.bench', runs((file) => ['bench', file])),
    vscode.commands.registerCommand('rgc.draw', drawing()),
    vscode.commands.registerCommand('rgc.restart', restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('rgc.path') || change.affectsConfiguration('rgc.arguments')) {
        await restart();
      }
    }),
  );
  await inTurn(start);
}

export async function deactivate(): Promise<void> {
  await inTurn(stop);
}

function depth(): number {
  return vscode.workspace.getConfiguration('rgc').get<number>('perft.depth', 4);
}

async function start(): Promise<void> {
  const command = program();
  const found = await version(command);
  if (found.missing !== undefined) {
    // Nothing waits for the answer.
    void explainMissing(command, found.missing);
    return;
  }
  client = new LanguageClient(
    'rgc',
    'rgc',
    { command, args: ['lsp', ...arguments_()] },
    {
      documentSelector: LANGUAGES.flatMap((language) => [
        { language, scheme: 'file' },
        { language, scheme: 'untitled' },
      ]),
      initializationOptions: { commands: true },
    },
  );
  await client.start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  try {
    await running?.dispose();
  } catch {
    // A server that has not started, or is gone, cannot be stopped.
  }
}

function restart(): Promise<void> {
  return inTurn(async () => {
    await stop();
    await start();
  });
}
