import { emailChange } from '@nearhand/contract/people/email-change';
import { read, write } from '../../platform/http/bind.ts';
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
  // The caller may have no account to store a response for.
  confirm: write(emailChange.confirm, confirmEmailChange, { stored: false }),
  undo: write(emailChange.undo, undoEmailChange, { stored: false }),
};
