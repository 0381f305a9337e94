import { accounts } from '@nearhand/contract/accounts';
import { read, write } from '../../platform/http/bind.ts';
import { acceptTerms, accountSignInOptions, ownAccount, updateOwnAccount } from './accounts.service.ts';

export const accountsRoutes = {
  signInOptions: read(accounts.signInOptions, accountSignInOptions),
  me: read(accounts.me, ownAccount),
  update: write(accounts.update, updateOwnAccount),
  acceptTerms: write(accounts.acceptTerms, acceptTerms),
};
