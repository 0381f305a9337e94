import { pipeline } from '@nearhand/contract/hiring/pipeline';
import { read, write } from '../../platform/http/bind.ts';
import { boardOfBusiness, boardOfJob } from './board.ts';
import { addNote, deleteNote, listNotes } from './notes.ts';
import { listTags, setTags } from './tags.ts';

export const pipelineRoutes = {
  board: read(pipeline.board, boardOfJob),
  boardOfBusiness: read(pipeline.boardOfBusiness, boardOfBusiness),
  notes: read(pipeline.notes, listNotes),
  addNote: write(pipeline.addNote, addNote),
  deleteNote: write(pipeline.deleteNote, deleteNote),
  setTags: write(pipeline.setTags, setTags),
  tags: read(pipeline.tags, listTags),
};
