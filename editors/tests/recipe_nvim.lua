-- Is run by Neovim with a recipe of docs/editors.md as its initialisation, after a game was opened: what the recipe promises.

local function check()
  assert(vim.bo.filetype == 'rbg', vim.bo.filetype)
  local ready = vim.wait(20000, function()
    local _, client = next(vim.lsp.buf_get_clients(0))
    return client ~= nil and client.initialized
  end, 20)
  assert(ready, 'no client')
  assert(#vim.tbl_keys(vim.lsp.buf_get_clients(0)) == 1)
  -- A mistake is found, and the game is formatted when it is saved.
  local first = vim.fn.search('^#players', 'nw')
  local line = vim.fn.getline(first)
  vim.fn.setline(first, (line:gsub(' = ', '=')))
  local turn = vim.fn.search('{e} \\[mark\\]', 'nw')
  local right = vim.fn.getline(turn)
  vim.fn.setline(turn, (right:gsub('{e}', '{empty}')))
  local found = vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  assert(found and vim.diagnostic.get(0)[1].code == 'RBG131', vim.inspect(vim.diagnostic.get(0)))
  vim.fn.setline(turn, right)
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20), vim.inspect(vim.diagnostic.get(0)))
  vim.cmd('write')
  assert(vim.fn.readfile(vim.fn.expand('%:p'))[first] == line, 'not formatted')
  if vim.env.RECIPE_KEYS then
    vim.fn.cursor(turn + 1, 1)
    vim.fn.search('three(')
    vim.cmd('normal gd')
    local there = vim.wait(20000, function() return vim.fn.getline('.'):find('^#three') ~= nil end, 20)
    assert(there, vim.fn.getline('.'))
    assert(vim.bo.omnifunc == 'v:lua.vim.lsp.omnifunc')
  end
  -- The lenses are there, and run the game.
  vim.cmd('doautocmd CursorHold')
  local lenses = vim.wait(20000, function() return #vim.lsp.codelens.get(0) >= 4 end, 20)
  assert(lenses, vim.inspect(vim.lsp.codelens.get(0)))
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do
    assert(vim.lsp.commands[lens.command.command], lens.command.command)
  end
  vim.lsp.commands['rgc.perft']({ arguments = { vim.uri_from_bufnr(0) } })
  local counted = vim.wait(20000, function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' '):find('leaves') ~= nil
  end, 20)
  assert(counted, vim.inspect(vim.api.nvim_buf_get_lines(0, 0, -1, false)))
end

local done, why = xpcall(check, debug.traceback)
io.stdout:write('recipe for Neovim: ', done and 'ok' or why, '\n')
vim.cmd(done and 'quitall!' or 'cquit!')
