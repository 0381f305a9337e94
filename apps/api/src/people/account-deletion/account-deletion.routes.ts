import { accountDeletion } from '@nearhand/contract/people/account-deletion';
import { read, write, writePreparedUnkept } from '../../platform/http/bind.ts';
import { confirmDeletion, deletionState, requestDeletion, undoDeletion } from './account-deletion.service.ts';
import { sendCode } from './deletion-codes.service.ts';

export const accountDeletionRoutes = {
  get: read(accountDeletion.get, deletionState),
  sendCode: write(accountDeletion.sendCode, sendCode),
  // Its input has a password: nothing of it is stored, not even as a hash.
  request: writePreparedUnkept(accountDeletion.request, confirmDeletion, requestDeletion),
  undo: write(accountDeletion.undo, undoDeletion),
};
