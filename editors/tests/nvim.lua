-- The server in Neovim (0.7 or later): every feature in every language, as its own client has them.
-- RGC=… nvim --headless -u NONE -i NONE -c 'luafile editors/tests/nvim.lua'

local root = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h')
local program = vim.env.RGC or 'rgc'

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

--- The place that `|` marks in a part of the text: line and column in bytes, from 0.
local function place(text, marked)
  local bar = assert(marked:find('|', 1, true))
  local at = assert(text:find(marked:sub(1, bar - 1) .. marked:sub(bar + 1), 1, true), marked)
  local before = text:sub(1, at + bar - 2)
  local _, line = before:gsub('\n', '')
  return line, #before:match('[^\n]*$')
end

local function content()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

--- Replaces the only `from` of the buffer, as an edit of its lines.
local function replace(from, to)
  local text = content()
  local start, finish = text:find(from, 1, true)
  text = text:sub(1, start - 1) .. to .. text:sub(finish + 1)
  local lines = vim.split(text, '\n', { plain = true })
  table.remove(lines)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
end

local function wait(what, done)
  assert(vim.wait(20000, done, 20), 'waited in vain: ' .. what)
end

local function request(method, marked, rest)
  local line, character = place(content(), marked)
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = character } }
  local answers = assert(vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, rest or {}), 20000))
  local _, answer = next(answers)
  assert(answer and not answer.err, method .. ': ' .. vim.inspect(answer))
  return answer.result
end

local function written(case)
  local name = case.game:match('[^/]+$')
  local text = read(root .. '/games/' .. case.game)
  local file = vim.fn.tempname() .. '-' .. name
  vim.fn.writefile(vim.split(text, '\n', { plain = true }), file, 'b')
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  vim.bo.filetype = case.language
  local published = 0
  local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
  local client = assert(vim.lsp.start_client({
    name = 'rgc',
    cmd = { program, 'lsp' },
    root_dir = root,
    handlers = {
      ['textDocument/publishDiagnostics'] = function(...)
        published = published + 1
        return publish(...)
      end,
    },
  }))
  assert(vim.lsp.buf_attach_client(0, client))
  wait('diagnostics', function() return published > 0 end)
  assert(#vim.diagnostic.get(0) == 0, vim.inspect(vim.diagnostic.get(0)))

  local hover = request('textDocument/hover', case.hover.at)
  assert(hover.contents.value:find(case.hover.has, 1, true), hover.contents.value)

  -- The commands that keys are mapped to.
  local line, column = place(text, case.definition.at)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  local definition = request('textDocument/definition', case.definition.at)
  local first = definition[1] or definition
  local range = first.range or first.targetSelectionRange
  local to, from = place(text, case.definition.to)
  assert(range.start.line == to and range.start.character == from, vim.inspect(definition))
  if not case.definition.count then
    vim.lsp.buf.definition()
    wait('the cursor', function() return vim.deep_equal(vim.api.nvim_win_get_cursor(0), { to + 1, from }) end)
  end

  local offered = request('textDocument/completion', case.completion.at)
  local labels = vim.tbl_map(function(item) return item.label end, offered.items or offered)
  for _, label in ipairs(case.completion.has) do
    assert(vim.tbl_contains(labels, label), label .. ' in ' .. vim.inspect(labels))
  end
  for _, label in ipairs(case.completion['not']) do
    assert(not vim.tbl_contains(labels, label), label .. ' in ' .. vim.inspect(labels))
  end

  replace(case.mistake.replace, case.mistake.by)
  wait('the mistake', function() return #vim.diagnostic.get(0) > 0 end)
  local row, character = place(content(), case.mistake.at)
  local found = vim.tbl_filter(function(finding)
    return finding.lnum == row and finding.col == character and finding.code:sub(1, #case.mistake.code) == case.mistake.code
  end, vim.diagnostic.get(0))
  assert(#found > 0, vim.inspect(vim.diagnostic.get(0)))
  replace(case.mistake.by, case.mistake.replace)
  wait('no mistake', function() return #vim.diagnostic.get(0) == 0 end)

  replace(case.unformatted.replace, case.unformatted.by)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync(nil, 20000)
  end
  assert(content() == text, content())

  line, column = place(content(), case.rename.at)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  local edit = request('textDocument/rename', case.rename.at, { newName = case.rename.to })
  local edits = edit.changes and edit.changes[vim.uri_from_bufnr(0)] or edit.documentChanges[1].edits
  assert(#edits == case.rename.edits, vim.inspect(edit))
  vim.lsp.buf.rename(case.rename.to)
  wait('the new name', function() return content() ~= text end)
  local before = published
  wait('diagnostics', function() return published > before end)
  assert(#vim.diagnostic.get(0) == 0, vim.inspect(vim.diagnostic.get(0)))

  vim.lsp.stop_client(client)
  wait('the end of the server', function() return vim.lsp.client_is_stopped(client) end)
  vim.cmd('bwipeout!')
end

local passed, failed = 0, 0
local _, cases = xpcall(function() return vim.json.decode(read(root .. '/editors/tests/cases.json')) end, function(why)
  io.stdout:write(why, '\n')
  vim.cmd('cquit!')
end)
for _, case in ipairs(cases) do
  local done, why = xpcall(written, debug.traceback, case)
  passed, failed = passed + (done and 1 or 0), failed + (done and 0 or 1)
  io.stdout:write(('neovim: %s: %s\n'):format(case.language, done and 'ok' or why))
end
io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
vim.cmd(failed == 0 and 'quitall!' or 'cquit!')
