import { disputes } from '@nearhand/contract/work/disputes';
import { write } from '../../platform/http/bind.ts';
import { decideDispute } from './dispute-decision.ts';
import { acceptProposal, answerDispute, fileDispute, proposeSettlement } from './disputes.ts';
import { decideNoShow } from './no-show-decision.ts';

export const disputesRoutes = {
  file: write(disputes.file, fileDispute),
  answer: write(disputes.answer, answerDispute),
  propose: write(disputes.propose, proposeSettlement),
  acceptProposal: write(disputes.acceptProposal, acceptProposal),
  decide: write(disputes.decide, decideDispute),
  decideNoShow: write(disputes.decideNoShow, decideNoShow),
};
