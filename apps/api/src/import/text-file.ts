import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, StartRefusedError } from '../platform/start-refused.ts';

export async function requireFile(file: string): Promise<{ bytes: number }> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new StartRefusedError(`${file} is not a file.`);
    return { bytes: stats.size };
  } catch (error) {
    throw refusedFile(file, error);
  }
}

/**
 * Streams a file's text without its byte order mark.
 * @throws StartRefusedError for invalid bytes
 */
export async function* readText(file: string, encoding = 'utf-8'): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }))
      yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw refusedFile(file, error, encoding);
  }
}

export async function readWholeText(file: string, maxBytes: number): Promise<string> {
  const { bytes } = await requireFile(file);
  if (bytes > maxBytes)
    throw new StartRefusedError(
      `${path.basename(file)} has ${Math.round(bytes / 1e6)} MB; at most ${maxBytes / 1e6} MB are read at once.`,
    );
  let text = '';
  for await (const part of readText(file)) text += part;
  return text;
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new StartRefusedError(
      `The mapping's encoding '${encoding}' is not supported; use utf-8, utf-16le or windows-1252.`,
    );
  }
}

function refusedFile(file: string, error: unknown, encoding = 'utf-8'): unknown {
  const name = path.basename(file);
  if (error instanceof TypeError && errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new StartRefusedError(
      `${name} is not ${encoding} text. Save it as UTF-8, or name its encoding in the mapping, for example "encoding": "windows-1252".`,
    );
  const code = errorCode(error);
  if (code === 'ENOENT') return new StartRefusedError(`There is no file ${file}.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new StartRefusedError(`The file ${file} may not be read by this user.`);
  return error;
}
