import type { DataOf } from '@nearhand/contract/error-data';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import type { z } from 'zod';

/**
 * A failure with a registered code. Services throw one for every refusal; anything else that reaches the mapper is a bug and returns a
 * generic 500. `data` goes to the client: field names, limits, times; never secrets or another person's data.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly data: DataOf<Code> | undefined;

  /** `options.cause`: the underlying error; logged, never sent. */
  constructor(code: Code, data?: DataOf<Code>, options?: ErrorOptions) {
    super(code, options);
    this.name = 'AppError';
    this.code = code;
    this.data = data;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/**
 * A refusal whose trace must be kept, such as a wrong code that counts: the transaction commits and the caller is still refused. The
 * service must write nothing but that trace before throwing it (ADR 42).
 */
export class KeptRefusal<Code extends ErrorCode = ErrorCode> extends AppError<Code> {}

/**
 * The body of a plain route by its schema.
 * @throws request/invalid (data: issues)
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new AppError('request/invalid', {
    issues: result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}
