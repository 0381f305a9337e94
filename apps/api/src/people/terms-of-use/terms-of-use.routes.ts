import { termsOfUse } from '@nearhand/contract/people/terms-of-use';
import { write } from '../../platform/http/bind.ts';
import { acceptTerms } from './terms-of-use.service.ts';

export const termsOfUseRoutes = { accept: write(termsOfUse.accept, acceptTerms) };
