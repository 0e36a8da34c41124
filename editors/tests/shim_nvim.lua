-- What the recipe for Neovim 0.11 needs, for older ones: `vim.lsp.config`, `vim.lsp.enable`, and formatting by name.
if not vim.lsp.config then
  vim.g.do_filetype_lua = 1
  local configs, started = {}, {}
  vim.lsp.config = function(name, config) configs[name] = config end
  vim.lsp.enable = function(name)
    local config = configs[name]
    vim.api.nvim_create_autocmd('FileType', {
      pattern = config.filetypes,
      callback = function(event)
        started[name] = started[name] or vim.lsp.start_client({
          name = name,
          cmd = config.cmd,
          root_dir = vim.fn.getcwd(),
          init_options = config.init_options,
        })
        vim.lsp.buf_attach_client(event.buf, started[name])
      end,
    })
  end
end
vim.lsp.buf.format = vim.lsp.buf.format or function(options)
  assert(options.name == 'rgc')
  vim.lsp.buf.formatting_sync()
end
