import type { DataOf } from '@nearhand/contract/error-data';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import type { z } from 'zod';

/** Any other error is a bug and returns 500. `data` goes to the client: no secrets or personal data. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly data: DataOf<Code> | undefined;

  /** `options.cause` is logged, never sent. */
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

/** Commits its transaction, for example to count a wrong code. Write nothing else before it (ADR 42). */
export class CommittedRefusal<Code extends ErrorCode = ErrorCode> extends AppError<Code> {}

/** @throws request/invalid (data: issues) */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new AppError('request/invalid', {
    issues: result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}
