import type { DataOf } from '@nearhand/contract/error-data';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';

/**
 * A failure with a registered code. Everything a service refuses is thrown as one; anything else that reaches the mapper is a defect and answers
 * a generic 500. `data` goes to the client: names of fields, limits, times; never secrets or another person's facts.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly data: DataOf<Code> | undefined;

  /** `options.cause`: what went wrong underneath; it is logged, never told. */
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
 * A refusal whose trace must stay, such as a wrong code that counts: what the service wrote before it is committed, and the caller is refused all the
 * same. The service writes nothing but that trace before it throws one (ADR 0042).
 */
export class KeptRefusal<Code extends ErrorCode = ErrorCode> extends AppError<Code> {}
