import { passkeys } from '@nearhand/contract/people/passkeys';
import { read, write, writeUnkept } from '../../platform/http/bind.ts';
import {
  addPasskey,
  confirmByPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startAddingPasskey,
  startConfirmingByPasskey,
} from './passkeys.service.ts';

export const passkeysRoutes = {
  list: read(passkeys.list, listPasskeys),
  startAdding: writeUnkept(passkeys.startAdding, startAddingPasskey),
  add: write(passkeys.add, addPasskey),
  rename: write(passkeys.rename, renamePasskey),
  remove: write(passkeys.remove, removePasskey),
  startConfirming: writeUnkept(passkeys.startConfirming, startConfirmingByPasskey),
  confirm: write(passkeys.confirm, confirmByPasskey),
};
