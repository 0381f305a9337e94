import { contract } from '@nearhand/contract/contract';
import { errorData } from '@nearhand/contract/error-data';
import { errorStatus } from '@nearhand/contract/errors';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { nightly } from '../../../../../scripts/seeded-sample.ts';
import { contractOperations } from '../../../test/contract-operations.ts';
import { apiDocument } from './api-pages.ts';
import { commonOf } from './operation-errors.ts';

type Content = { content: { 'application/json': { schema: Json } } };
type Json = { [key: string]: unknown };
type Operation = { operationId: string; responses: Record<string, Content & { $ref?: string }> };

let text = '';
let document: { paths: Record<string, Record<string, Operation>>; components: Record<string, Json> };
beforeAll(async () => {
  text = JSON.stringify(await apiDocument(contract, 'https://nearhand.example'));
  document = JSON.parse(text);
});

/**
 * Findings of the `recommended` rules, without those about a license, `default` responses and descriptions of groups.
 */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'info-license': 'off', 'operation-4xx-response': 'off', 'tag-description': 'off' },
  });
  const problems = await lintFromString({ source, absoluteRef: '/api/openapi.json', config });
  // A client reads the error data by code; no schema can express it, and the linter does not follow extensions.
  const isErrorData = (pointer = '') => pointer === '#/components/schemas/ErrorData';
  const real = problems.filter(
    ({ ruleId, location }) => ruleId !== 'no-unused-components' || !isErrorData(location[0]?.pointer),
  );
  return real.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

describe('the API document', () => {
  it('passes the linter', async () => expect((await lint(text)).slice(0, 20)).toEqual([]));

  it.runIf(nightly)('fails with a missing type or an undeclared parameter', async () => {
    const broken = structuredClone(document);
    delete broken.components.schemas?.Job;
    expect((await lint(JSON.stringify(broken))).join()).toContain("Can't resolve $ref");
    const undeclared = JSON.parse(text.replaceAll('/jobs/{jobId}', '/jobs/{jobId}/{other}'));
    expect((await lint(JSON.stringify(undeclared))).join()).toContain('path-parameters-defined');
  });

  // The limit was 250 kB for 171 operations, which is 1,462 bytes each.
  it('names its types, and stays small', () => {
    expect(Object.keys(document.components.schemas ?? {})).toEqual(
      expect.arrayContaining([
        'Account',
        'Engagement',
        'Job',
        'JobStatus',
        'Terms',
        'SessionView',
        'Failure',
      ]),
    );
    expect(Buffer.byteLength(text) / contractOperations.length).toBeLessThan(1_430);
  });

  it('lists one response of several operations once', () => {
    const engagement = { $ref: '#/components/schemas/Engagement' };
    expect(document.components.responses?.Engagement).toMatchObject({
      content: { 'application/json': { schema: engagement } },
    });
    const inline = text.split(JSON.stringify({ schema: engagement })).length - 1;
    expect(inline).toBe(1);
  });

  it('documents the data of each code', () => {
    const { properties } =
      (document.components.schemas as Record<string, { properties: Json }>).ErrorData ?? {};
    expect(Object.keys(properties ?? {}).sort()).toEqual(Object.keys(errorData.shape).sort());
    expect(properties?.['job/stale']).toMatchObject({ properties: { version: { type: 'number' } } });
  });

  it('documents the errors of every operation', () => {
    const schemas = document.components.schemas as Record<string, { enum?: string[] }>;
    const shared = document.components.responses as Record<string, Content>;
    const documented = new Map(
      Object.values(document.paths)
        .flatMap((item) => Object.values(item))
        .map(({ operationId, responses }) => {
          const { $ref } = responses.default ?? {};
          const response = $ref ? shared[$ref.split('/').at(-1) ?? ''] : responses.default;
          return [operationId, codesIn(response?.content['application/json'].schema, schemas)] as const;
        }),
    );
    for (const { name, meta, method } of contractOperations) {
      const common = commonOf(meta.access, method, meta.whileLeaving === true).codes;
      expect(documented.get(name), name).toEqual(new Set([...meta.errors, ...common]));
    }
    expect(documented.size).toBe(contractOperations.length);
  });

  // The tests above read the same types and responses in a tenth of the time.
  it.runIf(nightly)('generates a client that TypeScript checks', async () => {
    const client = astToString(await openapiTS(JSON.parse(text)));
    expect(client).toContain('"jobs.get": {');
    expect(client).toContain('"application/json": components["schemas"]["Job"];');
    const right = `
      const job = {} as operations['jobs.get']['responses'][200]['content']['application/json'];
      const status: components['schemas']['JobStatus'] = 'in_review';
      type Refused = operations['jobs.publish']['responses']['default']['content']['application/json'];
      const code: Refused['code'] = 'job/incomplete';
      const id: string = job.id;
      const data = {} as Required<components['schemas']['ErrorData']>;
      const missing: readonly string[] = data[code].missing;
      const wait: number = data['request/too-many'].retryAfterSeconds;
      export { status, code, id, missing, wait };`;
    expect(errorsOf(client, right)).toEqual([]);
    expect(
      errorsOf(
        client,
        right
          .replace("'in_review'", "'in_revue'")
          .replace('job.id', 'job.nothing')
          .replace('].missing', '].lacking'),
      ),
    ).toEqual([
      expect.stringContaining('in_revue'),
      expect.stringContaining('nothing'),
      expect.stringContaining('lacking'),
    ]);
  });
});

function codesIn(schema: Json | undefined, schemas: Record<string, { enum?: string[] }>): Set<string> {
  const codes = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const name = value.startsWith('#/components/schemas/') ? value.split('/').at(-1) : undefined;
      for (const code of schemas[name ?? '']?.enum ?? []) codes.add(code);
      if (value in errorStatus) codes.add(value);
    } else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) visit(inner);
  };
  visit(schema);
  return codes;
}

function errorsOf(client: string, code: string): string[] {
  const files = new Map([
    ['/client.ts', client],
    ['/use.ts', `import type { components, operations } from './client.ts';\n${code}`],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noLib: false,
    skipLibCheck: true,
    types: [],
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, target, ...more) => {
    const own = files.get(name);
    return own === undefined ? getSourceFile(name, target, ...more) : ts.createSourceFile(name, own, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
