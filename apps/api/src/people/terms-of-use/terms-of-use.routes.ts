import { termsOfUse } from '@nearhand/contract/people/terms-of-use';
import { read, write } from '../../platform/http/bind.ts';
import { acceptedTerms, acceptTerms } from './terms-of-use.service.ts';

export const termsOfUseRoutes = {
  accepted: read(termsOfUse.accepted, acceptedTerms),
  accept: write(termsOfUse.accept, acceptTerms),
};
