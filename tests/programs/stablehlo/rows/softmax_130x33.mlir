// tolerance: 2e-05
// in: draw 1 -6 3.814697265625e-06 3145728
// out: sums 8.88150576 12.577343 12.719189 14.4856007 13.4256871 12.9704044 10.192157 13.6094379 9.58815624 12.2458059 11.9791377 13.7257353 10.1571313 12.0236274 12.667701 12.91077
// cost: 12 instructions, 699380 ticks
module {
  func.func public @main(%arg0: tensor<130x33xf32>) -> (tensor<130x33xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<130x33xf32>, tensor<f32>) -> tensor<130xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<130xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<130xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<130xf32>) -> tensor<130x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<130x1xf32>) -> tensor<130x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<130x33xf32>
    %6 = stablehlo.exponential %5 : tensor<130x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<130x33xf32>, tensor<f32>) -> tensor<130xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<130xf32>) -> tensor<130x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<130x1xf32>) -> tensor<130x33xf32>
    %10 = stablehlo.divide %6, %9 : tensor<130x33xf32>
    return %10 : tensor<130x33xf32>
  }
}
