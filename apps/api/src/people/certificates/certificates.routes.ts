import { certificates } from '@nearhand/contract/people/certificates';
import { read, write } from '../../platform/http/bind.ts';
import { decideCertificate } from './certificate-decisions.service.ts';
import { addCertificate, myCertificates, removeCertificate } from './certificates.service.ts';

export const certificatesRoutes = {
  mine: read(certificates.mine, myCertificates),
  add: write(certificates.add, addCertificate),
  remove: write(certificates.remove, removeCertificate),
  decide: write(certificates.decide, decideCertificate),
};
