// Starts the real program on the demo roles and a free port, and a browser without scripts beside it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The server: `origin` is where it listens. */
export async function startServer() {
  const data = await mkdtemp(join(tmpdir(), 'role-catalog-'));
  const program = process.env.ROLE_CATALOG_PROGRAM ?? join(root, 'target/debug/role-catalog');
  const child = spawn(program, ['serve', '--demo', '--bind', '127.0.0.1:0', '--data-dir', data], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const origin = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      log += chunk;
      const found = log.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${log}`)));
  });
  return {
    origin,
    log: () => log,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Debian's Chromium, quiet on the network. */
export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
