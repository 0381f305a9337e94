import { cases } from '@nearhand/contract/trust/cases';
import { read, write } from '../../platform/http/bind.ts';
import { decideAuthorityReport, reportToAuthority, setAuthorityReference } from './authority-reports.ts';
import { closedFile, getCase } from './case-file.ts';
import {
  addCaseNote,
  askSide,
  claimCase,
  colleagues,
  countOpenCases,
  deadlineFigures,
  handOverCase,
  listAssignments,
  listCases,
  listClosed,
  listViews,
  mergeRequests,
  prioritizeCase,
  releaseCase,
  removeAssignment,
  removeView,
  saveAssignment,
  saveView,
} from './cases.ts';
import { caseChat, previewDecision } from './pay-case.ts';

export const casesRoutes = {
  list: read(cases.list, listCases),
  closed: read(cases.closed, listClosed),
  decided: read(cases.decided, closedFile),
  counts: read(cases.counts, countOpenCases),
  figures: read(cases.figures, deadlineFigures),
  views: read(cases.views, listViews),
  saveView: write(cases.saveView, saveView),
  removeView: write(cases.removeView, removeView),
  assignments: read(cases.assignments, listAssignments),
  saveAssignment: write(cases.saveAssignment, saveAssignment),
  removeAssignment: write(cases.removeAssignment, removeAssignment),
  colleagues: read(cases.colleagues, colleagues),
  get: read(cases.get, getCase),
  preview: read(cases.preview, previewDecision),
  chat: read(cases.chat, caseChat),
  reportToAuthority: write(cases.reportToAuthority, reportToAuthority),
  setAuthorityReference: write(cases.setAuthorityReference, setAuthorityReference),
  decideAuthorityReport: write(cases.decideAuthorityReport, decideAuthorityReport),
  claim: write(cases.claim, claimCase),
  release: write(cases.release, releaseCase),
  handOver: write(cases.handOver, handOverCase),
  ask: write(cases.ask, askSide),
  note: write(cases.note, addCaseNote),
  mergeTickets: write(cases.mergeTickets, mergeRequests),
  setPriority: write(cases.setPriority, prioritizeCase),
};
