import { seal, sealingKeys, unseal } from '../../platform/file-store/sealed-files.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { findSealedByOthers, setSealedBy } from './files.sql.ts';

const atOnce = 50;
const firstId = '00000000-0000-0000-0000-000000000000';
const sealedType = 'application/octet-stream';

/** Re-encrypts files of earlier keys, so those can leave DOCUMENT_KEYS. Resumable; logs unreadable files. */
export async function reEncryptFiles(
  scope: Pick<TaskScope, 'db' | 'fileStore' | 'config' | 'sign' | 'log'>,
): Promise<{ done: number; failed: number }> {
  const [key] = sealingKeys(scope);
  const result = { done: 0, failed: 0 };
  for (let after: string | undefined = firstId; after !== undefined; ) {
    const files: { id: string }[] = await findSealedByOthers(scope.db, key.id, { after, limit: atOnce });
    for (const { id } of files) result[(await reEncrypt(scope, id)) ? 'done' : 'failed'] += 1;
    after = files.at(-1)?.id;
  }
  scope.log.info({ keyId: key.id, ...result }, 'identity documents were encrypted with the first key');
  return result;
}

async function reEncrypt(
  scope: Pick<TaskScope, 'db' | 'fileStore' | 'config' | 'sign' | 'log'>,
  fileId: string,
): Promise<boolean> {
  const { db, fileStore, log } = scope;
  const keys = sealingKeys(scope);
  const bytes = await fileStore.get(fileId);
  try {
    if (bytes === null) throw new Error('the bytes are missing in the store');
    const plain = unseal(keys, fileId, bytes);
    await fileStore.put(fileId, seal(keys[0], fileId, plain), sealedType);
  } catch (error) {
    log.error({ err: error, fileId }, 'an identity document could not be encrypted again');
    return false;
  }
  // The file was deleted during the write, so its bytes must not come back.
  if (!(await setSealedBy(db, fileId, keys[0].id))) await fileStore.remove(fileId);
  return true;
}
