// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 32.1736156 0.730529722 -28.0655326 -8.03011366 -5.61796479 -5.78958099 -4.94268495 -32.6561997 -22.5801897 -11.9843037 2.82081967 -12.8092496 8.17841931 19.3995174 -25.3618023 -8.12171221
// cost: 1336 instructions, 32099021 ticks
module {
  func.func public @main(%arg0: tensor<300x16xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<4x16x16xf32>) -> (tensor<300x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<300x16xf32>, tensor<16x4xf32>) -> tensor<300x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<300x4xf32>, tensor<f32>) -> tensor<300xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<300xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<300xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<300xf32>) -> tensor<300x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<300x1xf32>) -> tensor<300x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<300x4xf32>
    %7 = stablehlo.exponential %6 : tensor<300x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<300x4xf32>, tensor<f32>) -> tensor<300xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<300xf32>) -> tensor<300x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<300x1xf32>) -> tensor<300x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<300x4xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<300x4xf32> -> (tensor<300x2xf32>, tensor<300x2xi32>)
    %12 = stablehlo.reshape %indices : (tensor<300x2xi32>) -> tensor<600xi32>
    %13 = call @argsort(%12) : (tensor<600xi32>) -> tensor<600xi32>
    %14 = stablehlo.reshape %indices : (tensor<300x2xi32>) -> tensor<600xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %16 = call @clip(%14, %c_2) : (tensor<600xi32>, tensor<i32>) -> tensor<600xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %18 = stablehlo.compare LT, %16, %17, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %20 = stablehlo.add %16, %19 : tensor<600xi32>
    %21 = stablehlo.select %18, %20, %16 : tensor<600xi1>, tensor<600xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<600xi32>) -> tensor<600x1xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %24 = "stablehlo.scatter"(%15, %22, %23) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %68 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %68 : tensor<i32>
    }) : (tensor<4xi32>, tensor<600x1xi32>, tensor<600xi32>) -> tensor<4xi32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %25 = call @floor_divide(%13, %c_6) : (tensor<600xi32>, tensor<i32>) -> tensor<600xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %27 = stablehlo.compare LT, %25, %26, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %c_8 = stablehlo.constant dense<300> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %29 = stablehlo.add %25, %28 : tensor<600xi32>
    %30 = stablehlo.select %27, %29, %25 : tensor<600xi1>, tensor<600xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<600xi32>) -> tensor<600x1xi32>
    %32 = "stablehlo.gather"(%arg0, %31) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<300x16xf32>, tensor<600x1xi32>) -> tensor<600x16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [1, 2] : (tensor<600x16xf32>) -> tensor<4x600x16xf32>
    %34 = stablehlo.iota dim = 1 : tensor<4x600x16xi32>
    %35 = call @cumsum(%24) : (tensor<4xi32>) -> tensor<4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %37 = stablehlo.slice %36 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %38 = stablehlo.slice %35 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %39 = stablehlo.concatenate %37, %38, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %40 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<4xi32>) -> tensor<4x600x16xi32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<4xi32>) -> tensor<4x600x16xi32>
    %42 = stablehlo.compare LE, %41, %34, SIGNED : (tensor<4x600x16xi32>, tensor<4x600x16xi32>) -> tensor<4x600x16xi1>
    %43 = stablehlo.compare LT, %34, %40, SIGNED : (tensor<4x600x16xi32>, tensor<4x600x16xi32>) -> tensor<4x600x16xi1>
    %44 = stablehlo.and %42, %43 : tensor<4x600x16xi1>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x600x16xf32>
    %46 = stablehlo.select %44, %33, %45 : tensor<4x600x16xi1>, tensor<4x600x16xf32>
    %47 = stablehlo.dot_general %46, %arg2, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x600x16xf32>, tensor<4x16x16xf32>) -> tensor<600x16xf32>
    %48 = stablehlo.reshape %values : (tensor<300x2xf32>) -> tensor<600xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %50 = stablehlo.compare LT, %13, %49, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %c_12 = stablehlo.constant dense<600> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %52 = stablehlo.add %13, %51 : tensor<600xi32>
    %53 = stablehlo.select %50, %52, %13 : tensor<600xi1>, tensor<600xi32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<600xi32>) -> tensor<600x1xi32>
    %55 = "stablehlo.gather"(%48, %54) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<600xf32>, tensor<600x1xi32>) -> tensor<600xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<600xf32>) -> tensor<600x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<600x1xf32>) -> tensor<600x16xf32>
    %58 = stablehlo.multiply %47, %57 : tensor<600x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<300x16xf32>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %60 = call @floor_divide(%13, %c_14) : (tensor<600xi32>, tensor<i32>) -> tensor<600xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %62 = stablehlo.compare LT, %60, %61, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %c_16 = stablehlo.constant dense<300> : tensor<i32>
    %63 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %64 = stablehlo.add %60, %63 : tensor<600xi32>
    %65 = stablehlo.select %62, %64, %60 : tensor<600xi1>, tensor<600xi32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<600xi32>) -> tensor<600x1xi32>
    %67 = "stablehlo.scatter"(%59, %66, %58) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %68 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %68 : tensor<f32>
    }) : (tensor<300x16xf32>, tensor<600x1xi32>, tensor<600x16xf32>) -> tensor<300x16xf32>
    return %67 : tensor<300x16xf32>
  }
  func.func private @argsort(%arg0: tensor<600xi32>) -> tensor<600xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<600xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<600xi32>, tensor<600xi32>) -> (tensor<600xi32>, tensor<600xi32>)
    return %1#1 : tensor<600xi32>
  }
  func.func private @clip(%arg0: tensor<600xi32>, %arg1: tensor<i32>) -> tensor<600xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<600xi32>
    return %2 : tensor<600xi32>
  }
  func.func private @floor_divide(%arg0: tensor<600xi32>, %arg1: tensor<i32>) -> tensor<600xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<600xi32>
    %3 = stablehlo.sign %arg0 : tensor<600xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<600xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi1>
    %11 = stablehlo.and %6, %10 : tensor<600xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<600xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<600xi32>
    %14 = call @_where(%11, %13, %2) : (tensor<600xi1>, tensor<600xi32>, tensor<600xi32>) -> tensor<600xi32>
    return %14 : tensor<600xi32>
  }
  func.func private @_where(%arg0: tensor<600xi1>, %arg1: tensor<600xi32>, %arg2: tensor<600xi32>) -> tensor<600xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<600xi1>, tensor<600xi32>
    return %0 : tensor<600xi32>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
