import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { AnyContractProcedure, OpenAPI } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { limitNetworks, networkLimit } from '../http/overload/caller-limits.ts';
import { sha256 } from '../sign.ts';
import { contractNames } from './contract-names.ts';
import { addErrors } from './operation-errors.ts';
import { shortenDocument } from './shorten-document.ts';

/** Serves the OpenAPI 3.1 document and a browser for it; in production only with API_DOCS. */
export async function registerApiPages(
  app: FastifyInstance,
  contract: Contract,
  config: Pick<Config, 'API_DOCS' | 'NODE_ENV' | 'PUBLIC_URL' | 'READS_PER_MINUTE'>,
): Promise<void> {
  if (!(config.API_DOCS ?? config.NODE_ENV !== 'production')) return;
  let packed: Promise<Map<string, PackedFile>> | null = null;
  const files = () => {
    packed ??= packFiles(contract, config.PUBLIC_URL);
    return packed;
  };
  app.addHook('onListen', async () => {
    files().catch((error) => app.log.error({ err: error }, 'the API document cannot be made'));
  });
  await app.register(async (site) => {
    limitNetworks(site, networkLimit(config.READS_PER_MINUTE));
    site.get('/api/docs', async (_request, reply) => reply.redirect('/api/docs/'));
    for (const address of addresses)
      site.get(address, async (request, reply) => {
        const file = (await files()).get(address);
        return file ? sendPacked(request, reply, file) : reply.callNotFound();
      });
  });
}

const addresses = [
  '/api/openapi.json',
  '/api/docs/',
  '/api/docs/start.js',
  '/api/docs/swagger-ui.css',
  '/api/docs/swagger-ui-bundle.js',
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

type PackedFile = { type: string; tag: string; plain: Buffer; br: Buffer; gzip: Buffer };

/** Beyond this, brotli takes seconds for a few percent. */
const quality = 9;

async function packFile(content: Buffer | string, type: string): Promise<PackedFile> {
  const plain = Buffer.from(content);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(plain),
  ]);
  const tag = `"${sha256(plain).slice(0, 22)}"`;
  return { type, tag, plain, br, gzip: zipped };
}

function sendPacked(request: FastifyRequest, reply: FastifyReply, file: PackedFile): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const tag = encoding ? file.tag.replace(/"$/, `-${encoding}"`) : file.tag;
  reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' });
  const cachedTags = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tagText) => tagText.trim().replace(/^W\//, ''));
  if (cachedTags.includes(tag) || cachedTags.includes('*')) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(file[encoding ?? 'plain']);
}

function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? null;
}

/** Builds the OpenAPI document with named types and each operation's errors (ADR 209). */
export async function apiDocument(contract: Contract, publicUrl: string): Promise<OpenAPI.Document> {
  const names = await contractNames();
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const commonSchemas = Object.fromEntries(
    [...names.schemas].map(([name, schema]) => [name, { schema, strategy: 'output' as const }]),
  );
  const document = (await generator.generate(contract, {
    info: {
      title: 'Nearhand API',
      version: '1',
      description:
        'A local job marketplace: find work, hire, nearby. Signing in itself, under /api/auth, and the contents of files are not part of this document.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    tags: Object.keys(contract).map((name) => ({ name })),
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{ session: [] }],
    commonSchemas,
  })) as OpenAPI.Document;
  const metaOf = (operationId: string) => metaIn(contract, operationId);
  for (const operation of operationsOf(document)) describe(operation, metaOf(operation.operationId ?? ''));
  addErrors(document, metaOf);
  return shortenDocument(document, names.enums);
}

const operationsOf = (document: OpenAPI.Document): OpenAPI.OperationObject[] =>
  Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item ?? {}) as OpenAPI.OperationObject[],
  );

function metaIn(contract: Contract, operationId: string): OperationMeta {
  const [slice = '', verb = ''] = operationId.split('.');
  const operation = (contract as unknown as Record<string, Record<string, AnyContractProcedure>>)[slice]?.[
    verb
  ];
  if (!operation) throw new Error(`no operation ${operationId} in the contract`);
  return operation['~orpc'].meta as OperationMeta;
}

function describe(operation: OpenAPI.OperationObject, { access }: OperationMeta): void {
  operation.tags = [operation.operationId?.split('.')[0] ?? ''];
  if (access === 'public') operation.security = [];
}
