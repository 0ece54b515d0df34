// tolerance: 2e-05
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -3.07118148 -1.39902889 -1.38101737 1.68778918 4.9786066 4.42899405 -5.88538749 1.74952084 -0.733016348 -2.2685431 0.405477335 3.68939963 3.4096834 6.5491689 -3.98859961 0.400080862
// out: sums 1.16432969 -0.983725289 2.87947087 0.113881027 -2.42274787 2.80594886 2.74980884 -2.02057493 -1.06236262 1.33370863 0.660033014 -1.50234906 -0.205615536 3.61290912 1.08141427 -0.92428907
// cost: 52 instructions, 8038917 ticks
module {
  func.func public @main(%arg0: tensor<6x32xf32>) -> (tensor<6x32xf32>, tensor<6x32xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x32xf32>
    %1 = stablehlo.slice %0 [0:1, 0:32] : (tensor<6x32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x32xf32>) -> tensor<32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %2, %iterArg_4 = %0, %iterArg_5 = %0) : tensor<6x32xf32>, tensor<i32>, tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>
    cond {
      %c_6 = stablehlo.constant dense<6> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:4 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5) : (tensor<6x32xf32>, tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>) -> (tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_1, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %5, %4#0, %4#1, %4#2, %4#3 : tensor<6x32xf32>, tensor<i32>, tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>
    }
    return %3#4, %3#5 : tensor<6x32xf32>, tensor<6x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x32xf32>, %arg1: tensor<i32>, %arg2: tensor<32xf32>, %arg3: tensor<6x32xf32>, %arg4: tensor<6x32xf32>) -> (tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<32xf32>
    %3 = stablehlo.convert %arg1 : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %3, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<6> : tensor<i32>
    %5 = stablehlo.add %3, %c_1 : tensor<i32>
    %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<32> : tensor<i32>
    %8 = stablehlo.add %c_4, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_6 : tensor<i1>, tensor<i32>
    %10 = stablehlo.dynamic_slice %arg0, %6, %9, sizes = [1, 32] : (tensor<6x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x32xf32>) -> tensor<32xf32>
    %12 = stablehlo.add %2, %11 : tensor<32xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.compare LT, %arg1, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<6> : tensor<i32>
    %14 = stablehlo.add %arg1, %c_8 : tensor<i32>
    %15 = stablehlo.select %13, %14, %arg1 : tensor<i1>, tensor<i32>
    %16 = stablehlo.convert %15 : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %18 = "stablehlo.scatter"(%arg3, %17, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<6x32xf32>, tensor<1xi32>, tensor<32xf32>) -> tensor<6x32xf32>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %19 = stablehlo.add %arg1, %c_9 : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %19, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<6> : tensor<i32>
    %21 = stablehlo.add %19, %c_11 : tensor<i32>
    %22 = stablehlo.select %20, %21, %19 : tensor<i1>, tensor<i32>
    %23 = stablehlo.convert %22 : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %25 = "stablehlo.scatter"(%arg4, %24, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<6x32xf32>, tensor<1xi32>, tensor<32xf32>) -> tensor<6x32xf32>
    return %0, %12, %18, %25 : tensor<i32>, tensor<32xf32>, tensor<6x32xf32>, tensor<6x32xf32>
  }
}
