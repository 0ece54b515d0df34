// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 7
// out: -2.81539536 2.97184944 1.75708199 -0.0430812836 1.91011333 0.935058594 -0.140164375 0.522359848 1.32362938 1.09145737 0.241008759 0.319516182 -2.05385876 -0.103033066 -0.700881004 2.57950115 0.619365692 -2.75874043 1.34909821 0.441786766 1.47382832 -0.0318565369 0.349759102 -0.441001892 0.23382473 1.98445606 0.497584343 -0.310070038 -0.0608358383 -1.50973511 -0.641259193 0.554274559 -0.0645532608 -0.791025162 0.815320015
// cost: 32 instructions, 1549361 ticks
module {
  func.func public @main(%arg0: tensor<30x5xf32>, %arg1: tensor<30xi32>) -> (tensor<7x5xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<30xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<30xi1>, tensor<30xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<30xi32>) -> tensor<30x1xi32>
    %7 = "stablehlo.scatter"(%0, %6, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<7x5xf32>, tensor<30x1xi32>, tensor<30x5xf32>) -> tensor<7x5xf32>
    return %7 : tensor<7x5xf32>
  }
}
