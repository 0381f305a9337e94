import { secondApprovals } from '@nearhand/contract/trust/second-approvals';
import { read, write } from '../../platform/http/bind.ts';
import { entryForStaff, proposeCorrection } from './corrections.ts';
import { creditLimitForStaff, giveGoodwill, goodwillForStaff, setCreditLimit } from './goodwill.ts';
import { decideApproval, requestApproval, withdrawApproval } from './second-approvals.ts';

export const secondApprovalsRoutes = {
  request: write(secondApprovals.request, requestApproval),
  proposeCorrection: write(secondApprovals.proposeCorrection, proposeCorrection),
  goodwill: read(secondApprovals.goodwill, goodwillForStaff),
  giveGoodwill: write(secondApprovals.giveGoodwill, giveGoodwill),
  creditLimit: read(secondApprovals.creditLimit, creditLimitForStaff),
  setCreditLimit: write(secondApprovals.setCreditLimit, setCreditLimit),
  entry: read(secondApprovals.entry, entryForStaff),
  decide: write(secondApprovals.decide, decideApproval),
  withdraw: write(secondApprovals.withdraw, withdrawApproval),
};
