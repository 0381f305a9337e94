import { identityChecks } from '@nearhand/contract/people/identity-checks';
import { read, write } from '../../platform/http/bind.ts';
import { myCheck, submitCheck } from './identity-checks.ts';
import { decideIdentity } from './identity-decisions.ts';

export const identityChecksRoutes = {
  mine: read(identityChecks.mine, myCheck),
  submit: write(identityChecks.submit, submitCheck),
  decide: write(identityChecks.decide, decideIdentity),
};
