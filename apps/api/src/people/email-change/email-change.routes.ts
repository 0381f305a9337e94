import { emailChange } from '@nearhand/contract/people/email-change';
import { read, write, writeUnkept } from '../../platform/http/bind.ts';
import {
  cancelEmailChange,
  confirmEmailChange,
  currentEmailChange,
  startEmailChange,
  undoEmailChange,
} from './email-change.ts';

export const emailChangeRoutes = {
  current: read(emailChange.current, currentEmailChange),
  start: write(emailChange.start, startEmailChange),
  cancel: write(emailChange.cancel, cancelEmailChange),
  // The caller may have no account to keep an answer for.
  confirm: writeUnkept(emailChange.confirm, confirmEmailChange),
  undo: writeUnkept(emailChange.undo, undoEmailChange),
};
