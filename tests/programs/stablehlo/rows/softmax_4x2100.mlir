// tolerance: 2e-05
// in: draw 1 -6 3.814697265625e-06 3145728
// out: sums 0.296942253 0.349670244 0.401100453 0.369403776 0.433311066 0.368575322 0.391021514 0.36240534 0.319519699 0.347327341 0.427615722 0.383720715 0.382621228 0.404101649 0.371436884 0.38813348
// cost: 6 instructions, 1562512 ticks
module {
  func.func public @main(%arg0: tensor<4x2100xf32>) -> (tensor<4x2100xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x2100xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x2100xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x2100xf32>
    %6 = stablehlo.exponential %5 : tensor<4x2100xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x2100xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x2100xf32>
    %10 = stablehlo.divide %6, %9 : tensor<4x2100xf32>
    return %10 : tensor<4x2100xf32>
  }
}
