import { accounts } from '@nearhand/contract/people/accounts';
import { read, write } from '../../platform/http/bind.ts';
import { ownAccount, updateOwnAccount } from './accounts.service.ts';

export const accountsRoutes = {
  me: read(accounts.me, ownAccount),
  update: write(accounts.update, updateOwnAccount),
};
