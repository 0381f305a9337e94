import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import type { Access, OperationMeta } from '@nearhand/contract/operation';
import type { OpenAPI } from '@orpc/contract';
import { typeName } from './contract-names.ts';

/** Documents each operation's errors as `default`; shared ones become components. */
export function addErrors(document: OpenAPI.Document, metaOf: (operationId: string) => OperationMeta): void {
  const schemas: Record<string, object> = { ...failure };
  const failures = operationsOf(document).map(([method, operation]) => {
    const meta = metaOf(operation.operationId ?? '');
    const common = commonOf(meta.access, method, meta.whileLeaving === true);
    schemas[common.name] = { type: 'string', enum: common.codes };
    const ownCodes = meta.errors.filter((code) => !common.codes.includes(code)).sort();
    return {
      operation,
      name: schemaName(ownCodes, common.name),
      response: responseOf(ownCodes, common.name),
    };
  });
  const uses = new Map<string, number>();
  for (const { response } of failures)
    uses.set(responseKey(response), (uses.get(responseKey(response)) ?? 0) + 1);
  const responses: Record<string, OpenAPI.ResponseObject> = {};
  for (const { operation, name, response } of failures) {
    const isShared = (uses.get(responseKey(response)) ?? 0) > 1;
    if (isShared) responses[name] = response;
    const failed = isShared ? { $ref: ref('responses', name) } : response;
    operation.responses = { ...operation.responses, default: failed };
  }
  document.components = { ...document.components, responses };
  document.components.schemas = { ...document.components.schemas, ...schemas } as never;
}

const operationsOf = (document: OpenAPI.Document): [string, OpenAPI.OperationObject][] =>
  Object.values(document.paths ?? {}).flatMap((item) =>
    Object.entries((item ?? {}) as Record<string, OpenAPI.OperationObject>).map(
      ([method, operation]): [string, OpenAPI.OperationObject] => [method.toUpperCase(), operation],
    ),
  );

export function commonOf(
  access: Access,
  method: string,
  whileLeaving: boolean,
): { name: string; codes: ErrorCode[] } {
  const when = (holds: boolean, ...codes: ErrorCode[]) => (holds ? codes : []);
  const isWrite = method !== 'GET';
  const caller = access.startsWith('member') ? 'verified' : access;
  const kind = !isWrite ? 'Read' : method === 'POST' ? 'Post' : 'Write';
  return {
    name: `${typeName(caller)}${kind}${isWrite && whileLeaving ? 'WhileLeaving' : ''}Code`,
    codes: [
      ...when(true, 'request/invalid', 'request/too-many', 'request/internal', 'request/unavailable'),
      ...when(true, 'session/expired'),
      ...when(caller !== 'public', 'session/required'),
      ...when(caller === 'verified' || caller === 'operator', 'session/email-not-verified'),
      ...when(
        caller === 'operator',
        'operator/required',
        'operator/role-required',
        'operator/reason-required',
      ),
      ...when(caller === 'operator', 'operator/confirm-again'),
      ...when(isWrite && !whileLeaving, 'account/leaving'),
      ...when(isWrite && caller !== 'operator', 'account/suspended'),
      ...when(isWrite, 'request/too-large', 'idempotency/key-reused', 'idempotency/in-flight'),
      ...when(method === 'POST', 'idempotency/key-required'),
    ],
  };
}

function responseOf(codes: readonly ErrorCode[], common: string): OpenAPI.ResponseObject {
  const commonErrors = { $ref: ref('schemas', common) };
  const code = codes.length === 0 ? commonErrors : { anyOf: [{ enum: codes }, commonErrors] };
  const schema = { allOf: [{ $ref: ref('schemas', 'Failure') }, { properties: { code } }] };
  return { description: 'Refused', content: { 'application/json': { schema } } } as OpenAPI.ResponseObject;
}

const schemaName = (codes: readonly ErrorCode[], common: string) =>
  `${codes.map(typeName).join('Or')}${codes.length > 0 ? 'Or' : ''}${common.replace(/Code$/, 'Failure')}`;
const responseKey = (response: OpenAPI.ResponseObject) => JSON.stringify(response);
const ref = (kind: 'schemas' | 'responses', name: string) => `#/components/${kind}/${name}`;

const codesByStatus = Map.groupBy(Object.entries(errorStatus), ([, status]) => status);

const failure = {
  ErrorCode: {
    description: `What went wrong; the status of the response follows from it. ${[...codesByStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => `${status}: ${codes.map(([code]) => code).join(', ')}`)
      .join('. ')}.`,
    type: 'string',
  },
  Failure: {
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: { $ref: ref('schemas', 'ErrorCode') },
      message: { type: 'string', description: 'For developers, not for screens' },
      requestId: { type: 'string', description: 'The same as in the server’s log' },
      data: {
        type: 'object',
        description: 'What `ErrorData` has under the code',
        // A reference, so that shortening keeps the schema.
        'x-by-code': { $ref: ref('schemas', 'ErrorData') },
      },
    },
  },
} as const;
