import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Contract } from '@nearhand/contract/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { limitNetworks } from '../http/caller-network.ts';
import { apiDocument } from './api-document.ts';
import { type PackedFile, packFile, sendPacked } from './packed-file.ts';

/**
 * The contract as an OpenAPI 3.1 document at `/api/openapi.json`, and a page to browse it at `/api/docs/`; in production only with API_DOCS.
 * Made and compressed once, after the server has started to listen, or for the first caller before that.
 */
export async function registerApiPages(
  app: FastifyInstance,
  contract: Contract,
  config: Pick<Config, 'API_DOCS' | 'NODE_ENV' | 'PUBLIC_URL' | 'READS_PER_MINUTE'>,
): Promise<void> {
  if (!(config.API_DOCS ?? config.NODE_ENV !== 'production')) return;
  let made: Promise<Map<string, PackedFile>> | null = null;
  const files = () => {
    made ??= packFiles(contract, config.PUBLIC_URL);
    return made;
  };
  app.addHook('onListen', async () => {
    files().catch((error) => app.log.error({ err: error }, 'the API document cannot be made'));
  });
  await app.register(async (site) => {
    await limitNetworks(site, config.READS_PER_MINUTE);
    site.get('/api/docs', async (_request, reply) => reply.redirect('/api/docs/'));
    for (const address of addresses)
      site.get(address, async (request, reply) => {
        const file = (await files()).get(address);
        return file ? sendPacked(request, reply, file) : reply.callNotFound();
      });
  });
}

const addresses = [
  ...['/api/openapi.json', '/api/docs/', '/api/docs/start.js'],
  ...['/api/docs/swagger-ui.css', '/api/docs/swagger-ui-bundle.js'],
] as const;

async function packFiles(contract: Contract, publicUrl: string): Promise<Map<string, PackedFile>> {
  const viewer = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const [document, styles, script] = await Promise.all([
    apiDocument(contract, publicUrl),
    readFile(path.join(viewer, 'swagger-ui.css')),
    readFile(path.join(viewer, 'swagger-ui-bundle.js')),
  ]);
  const contents: Record<(typeof addresses)[number], [Buffer | string, string]> = {
    '/api/openapi.json': [JSON.stringify(document), 'application/json; charset=utf-8'],
    '/api/docs/': [page, 'text/html; charset=utf-8'],
    '/api/docs/start.js': [start, 'text/javascript; charset=utf-8'],
    '/api/docs/swagger-ui.css': [styles, 'text/css; charset=utf-8'],
    '/api/docs/swagger-ui-bundle.js': [script, 'text/javascript; charset=utf-8'],
  };
  const packed = new Map<string, PackedFile>();
  for (const [address, [content, type]] of Object.entries(contents))
    packed.set(address, await packFile(content, type));
  return packed;
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nearhand API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="operations"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#operations', deepLinking: true, validatorUrl: null });
`;
