// Starts `rgc lsp` for games in its languages, and has commands that run a game.

import { LanguageClient } from 'vscode-languageclient/node';
import * as vscode from 'vscode';
import { drawing } from './drawing';
import { runs } from './terminal';
import { arguments_, explainMissing, program, version } from './program';

const LANGUAGES = ['rg', 'hrg', 'rbg', 'sbg', 'gdl'];

let client: LanguageClient | undefined;

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
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

function depth(): number {
  return vscode.workspace.getConfiguration('rgc').get<number>('perft.depth', 4);
}

async function start(): Promise<void> {
  const command = program();
  const found = await version(command);
  if (found.missing !== undefined) {
    await explainMissing(command, found.missing);
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
  await running?.dispose();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}
