import type { Contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { AnyContractProcedure, OpenAPI } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contractNames } from './contract-names.ts';
import { addErrors } from './operation-errors.ts';
import { shortenDocument } from './shorten-document.ts';

/** The contract as an OpenAPI 3.1 document, with its types by name and each operation's errors (ADR 209). */
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

/** Its group, and whether it needs a session at all. */
function describe(operation: OpenAPI.OperationObject, { access }: OperationMeta): void {
  operation.tags = [operation.operationId?.split('.')[0] ?? ''];
  if (access === 'public') operation.security = [];
}
