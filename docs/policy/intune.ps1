$path = 'HKLM:\SOFTWARE\Policies\Google\Chrome\3rdparty\extensions\EXTENSION_ID\policy'
New-Item -Path $path -Force | Out-Null
New-ItemProperty -Path $path -Name 'settings' -PropertyType String -Force -Value '{"format":"counterfoil-settings","version":2,"language":"de"}' | Out-Null
