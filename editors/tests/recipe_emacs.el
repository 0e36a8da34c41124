;;; Is run by Emacs after the recipe of docs/editors.md: what the recipe promises.  -*- lexical-binding: t -*-

(package-initialize)
(require 'eglot)
(require 'flymake)

(defun rgc-wait (what done)
  "Wait until DONE returns non-nil; fail with WHAT after 20 seconds."
  (let ((end (+ (float-time) 20)))
    (while (not (funcall done))
      (when (> (float-time) end) (error "Waited in vain: %s" what))
      (accept-process-output nil 0.05))))

(defun rgc-replace (from to)
  "Replace the first FROM of the buffer by TO."
  (goto-char (point-min))
  (search-forward from)
  (replace-match to t t))

(dolist (game '("rg" "hrg" "rbg" "sbg" "gdl"))
  (let* ((game-folder (getenv "GAMES"))
         (name (if (string= game "sbg") "hexapawn" "ticTacToe"))
         (file (expand-file-name (concat "game." game) (make-temp-file "rgc" t))))
    (copy-file (format "%s/%s/%s.%s" game-folder game name game) file)
    (find-file file)
    (unless (eq major-mode (intern (concat game "-mode"))) (error "Mode %s" major-mode))
    ;; `eglot-ensure' waits for the next command, which does not come here.
    (run-hooks 'post-command-hook)
    (rgc-wait "a server" (lambda () (eglot-current-server)))
    (rgc-wait "a managed buffer" (lambda () eglot--managed-mode))
    (when (string= game "rbg")
      (let ((before (buffer-string)))
        (rgc-replace "anywhere {e}" "anywhere {empty}")
        (eglot--signal-textDocument/didChange)
        (rgc-wait "a finding"
                  (lambda ()
                    (flymake-start)
                    (seq-some (lambda (found) (string-match-p "unknown name `empty`" (flymake-diagnostic-text found)))
                              (flymake-diagnostics))))
        (rgc-replace "anywhere {empty}" "anywhere {e}")
        (rgc-replace "#players = " "#players=")
        (save-buffer)
        (unless (string= (buffer-string) before) (error "Not formatted: %s" (buffer-string)))))
    (set-buffer-modified-p nil)
    (kill-buffer)))
(princ "recipe for Emacs: ok\n")
