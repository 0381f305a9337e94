/** A reason not to start that the operator can fix; printed without a stack. */
export class StartRefusedError extends Error {
  override name = 'StartRefusedError';
}

/** Describes a taken or forbidden port; other errors are returned unchanged. */
export function refusedPort(error: unknown, port: number): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartRefusedError(
      `Port ${port} is in use by another program; choose another with PORT, for example PORT=${port + 1} npm start.`,
    );
  }
  if (code === 'EACCES') {
    return new StartRefusedError(
      `This user may not listen on port ${port}; choose one above 1023 with PORT, for example PORT=8080 npm start.`,
    );
  }
  return error;
}

const fullDiskCodes = ['ENOSPC', 'EDQUOT', '53100'];
const fullDiskWords = /no space left on device|disk quota exceeded|wrote only \d+ of \d+ bytes/i;

/** Describes a full disk, naming whose; other errors are returned unchanged. */
export function refusedDisk(error: unknown, whose: string, detail = ''): unknown {
  const full =
    fullDiskCodes.includes(errorCode(error) ?? '') || fullDiskWords.test(`${errorText(error)} ${detail}`);
  if (!full) return error;
  return new StartRefusedError(
    `The disk of ${whose} is full; make room on it and start again, nothing was lost.`,
  );
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorText(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').trim().replace(/\.$/, '') || 'no reason given';
}
