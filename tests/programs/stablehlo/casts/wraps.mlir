// in: draw 1 -2.14748e+09 1 4294967296
// out: hash 5f67e3aaf1f0f4c6
// out: hash eb8eda566e02a88f
// out: hash 4dc3037916e472dd
// out: hash 4bb755ee0efbd435
// cost: 12 instructions, 628883 ticks
module {
  func.func public @main(%arg0: tensor<50xi32>) -> (tensor<50xi8>, tensor<50xui8>, tensor<50xi16>, tensor<50xui32>) {
    %0 = stablehlo.convert %arg0 : (tensor<50xi32>) -> tensor<50xi8>
    %1 = stablehlo.convert %arg0 : (tensor<50xi32>) -> tensor<50xui8>
    %2 = stablehlo.convert %arg0 : (tensor<50xi32>) -> tensor<50xi16>
    %3 = stablehlo.convert %arg0 : (tensor<50xi32>) -> tensor<50xui32>
    return %0, %1, %2, %3 : tensor<50xi8>, tensor<50xui8>, tensor<50xi16>, tensor<50xui32>
  }
}
