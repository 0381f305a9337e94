// @ts-check
// Runs `npm run dev`: the server with restarts, and Vite's web app.
import { spawn } from 'node:child_process';
import { ensurePackages } from './packages.mjs';
import { main, passSignals, projectEnvironment, projectNode, root } from './steps.mjs';

const apiPort = process.env.PORT ?? '8080';
const webPort = process.env.WEB_PORT ?? '5173';
const webAddress = `http://localhost:${webPort}`;

await main(async () => {
  await ensurePackages();
  console.log(`The web app will be at ${webAddress}, and the API behind it.`);
  // Links in mail and sign-in's origin checks must use the address that people open.
  const env = {
    PUBLIC_URL: webAddress,
    ...projectEnvironment(),
    PORT: apiPort,
    NEARHAND_API: `http://127.0.0.1:${apiPort}`,
  };
  const children = [
    ['--watch', '--watch-preserve-output', 'apps/api/src/main.ts'],
    [
      'node_modules/vite/bin/vite.js',
      'apps/web',
      '--port',
      webPort,
      '--strictPort',
      '--clearScreen',
      'false',
    ],
  ].map((args) => spawn(projectNode, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }));
  passSignals((signal) => {
    for (const child of children) child.kill(signal);
  });
  const codes = await Promise.all(
    children.map(
      (child) =>
        new Promise((resolve) => {
          child.on('close', (code) => {
            for (const other of children) other.kill('SIGTERM');
            resolve(code ?? 0);
          });
        }),
    ),
  );
  return Math.max(...codes);
});
