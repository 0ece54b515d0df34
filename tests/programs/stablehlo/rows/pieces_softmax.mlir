// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.190932954 0.186655049 0.190178658 0.188785873 0.189254771 0.184724675 0.183468873 0.18456995 0.185360238 0.18779409 0.184971758 0.186560417 0.187738199 0.187327345 0.188311576 0.189971207
// cost: 23 instructions, 4096924 ticks
module {
  func.func public @main(%arg0: tensor<2x70000xf32>) -> (tensor<2x70000xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x70000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x70000xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<2x70000xf32>
    %4 = stablehlo.exponential %3 : tensor<2x70000xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2x70000xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x70000xf32>
    %8 = stablehlo.divide %4, %7 : tensor<2x70000xf32>
    return %8 : tensor<2x70000xf32>
  }
}
