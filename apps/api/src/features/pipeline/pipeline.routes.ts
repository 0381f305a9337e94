import { pipeline } from '@nearhand/contract/pipeline';
import { read, write } from '../../platform/http/bind.ts';
import { listCandidates } from './candidates.service.ts';
import { declineInvitation, inviteWorker, myInvitations } from './invitations.service.ts';
import { addNote, deleteNote, listNotes } from './notes.service.ts';
import { listTags, setTags } from './tags.service.ts';

export const pipelineRoutes = {
  notes: read(pipeline.notes, listNotes),
  addNote: write(pipeline.addNote, addNote),
  deleteNote: write(pipeline.deleteNote, deleteNote),
  setTags: write(pipeline.setTags, setTags),
  tags: read(pipeline.tags, listTags),
  candidates: read(pipeline.candidates, listCandidates),
  invite: write(pipeline.invite, inviteWorker),
  invitations: read(pipeline.invitations, myInvitations),
  declineInvitation: write(pipeline.declineInvitation, declineInvitation),
};
