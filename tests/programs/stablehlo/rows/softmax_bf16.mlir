// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// out: sums 4.29489684 3.5601306 4.02048683 3.5891881 3.72036529 3.67506742 3.71131873 3.46636057 3.65194774 3.61766696 3.97782683 4.27306962 3.94504142 3.83566952 3.61941457 3.13823509
// cost: 13 instructions, 824189 ticks
module {
  func.func public @main(%arg0: tensor<40x30xbf16>) -> (tensor<40x30xbf16>) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<40x30xbf16>, tensor<bf16>) -> tensor<40xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<40xbf16>
    %2 = stablehlo.maximum %1, %0 : tensor<40xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<40xbf16>) -> tensor<40x1xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<40x1xbf16>) -> tensor<40x30xbf16>
    %5 = stablehlo.subtract %arg0, %4 : tensor<40x30xbf16>
    %6 = stablehlo.exponential %5 : tensor<40x30xbf16>
    %7 = stablehlo.convert %6 : (tensor<40x30xbf16>) -> tensor<40x30xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %10 = stablehlo.convert %9 : (tensor<40x1xf32>) -> tensor<40x1xbf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<40x1xbf16>) -> tensor<40x30xbf16>
    %12 = stablehlo.divide %6, %11 : tensor<40x30xbf16>
    return %12 : tensor<40x30xbf16>
  }
}
