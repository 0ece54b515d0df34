// in: draw 1 -2.14748e+09 1 4294967296
// out: hash 2fbca376f12c7a7c
// out: hash a9a2b4c9bcd5eb28
// out: hash 4f9658168da89898
// cost: 15 instructions, 667683 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi32>) -> (tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>) {
    %0 = stablehlo.sign %arg0 : tensor<5x30xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x30xi32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x30xi32>
    %3 = stablehlo.clamp %1, %arg0, %2 : tensor<5x30xi32>
    %4 = stablehlo.multiply %arg0, %arg0 : tensor<5x30xi32>
    return %0, %3, %4 : tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>
  }
}
